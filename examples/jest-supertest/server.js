const { createApp } = require("./app");

createApp().listen(8080);
