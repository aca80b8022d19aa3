import { afterAll, afterEach } from 'vitest';
import { assertConsoleErrors, watchConsoleErrors } from './console-errors.ts';

watchConsoleErrors();
// Hooks that a test file adds later run before these, so what they print counts too.
afterEach(assertConsoleErrors);
afterAll(assertConsoleErrors);
