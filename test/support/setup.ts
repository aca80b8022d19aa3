import { afterAll, afterEach } from 'vitest';
import { assertConsoleErrors, watchConsoleErrors } from './console-errors.ts';

watchConsoleErrors();
// Hooks that a test file adds later run before these hooks, so errors that they print count too.
afterEach(assertConsoleErrors);
afterAll(assertConsoleErrors);
