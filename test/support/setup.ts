import { afterAll, afterEach } from 'vitest';
import { assertConsoleErrors, watchConsoleErrors } from './console-errors.ts';

watchConsoleErrors();
// Hooks added later by a test file run before these, so errors printed there count too.
afterEach(assertConsoleErrors);
afterAll(assertConsoleErrors);
