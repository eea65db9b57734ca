// The entry module of the npm package's program: sets options of V8, then runs covtool.
import "./engine.ts";
import "../../cli.ts";
