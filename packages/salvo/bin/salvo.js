#!/usr/bin/env node
// In the repository, npm links this file before the program is built.
import '../dist/cli/main.js';
