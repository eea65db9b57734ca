<?php

// Sends one request with each client, with the client's name as the path.
@file_get_contents($argv[1] . '/file_get_contents()');
