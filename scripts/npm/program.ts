// What the program of the npm package begins with: prepares the engine, then runs covtool.
import "./engine.ts";
import "../../cli.ts";
