/** Soul, a REST server for SQLite, with a database file that has two tables. */
export function start({ require, folder }) {
  const fs = require("node:fs");
  const path = `${folder}/state/soul.db`;
  for (const suffix of ["", "-wal", "-shm"]) fs.rmSync(`${path}${suffix}`, { force: true });
  process.argv = [process.argv[0], "soul", "-d", path, "-p", "0"];
  const app = require("soul-cli/src/index.js");
  const db = require("soul-cli/src/db/index.js");
  const description = require("soul-cli/src/swagger/swagger.json");
  return { handler: app, description, ...tables(db) };
}

/** Restores a database by writing all its tables again. */
function tables(db) {
  const SCHEMA = `
    CREATE TABLE artists (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(50) NOT NULL);
    CREATE TABLE albums (
      id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, year INTEGER,
      artist_id INTEGER REFERENCES artists (id));
    DELETE FROM sqlite_sequence;
    INSERT INTO artists (name) VALUES ('Ada'), ('Grace'), ('Edsger');
    INSERT INTO albums (title, year, artist_id) VALUES ('One', 1970, 1), ('Two', 1980, 1), ('Three', 1990, 2);`;
  return {
    restore() {
      const names = db.prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
      )
        .all().map(({ name }) => name);
      db.pragma("foreign_keys = OFF");
      for (const name of names) db.exec(`DROP TABLE "${name.replaceAll('"', '""')}"`);
      db.exec(SCHEMA);
      db.pragma("foreign_keys = ON");
    },
  };
}
