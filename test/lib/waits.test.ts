import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const files = globSync('test/**/*.{ts,tsx}', { exclude: ['test/bench/**', 'test/lib/waits.test.ts'] });

/** Identifiers of sleeps: imported, or a timer in one line. */
function waitsIn(text: string): string[] {
  const imported = text.matchAll(/import \{[^}]*?\bsetTimeout(?: as (\w+))?[^}]*\} from '(?:node:)?timers\/promises'/g);
  const delays = text.matchAll(/import \{[^}]*?\b(delay)\b[^}]*\} from 'msw'/g);
  const made = text.matchAll(/\bconst (\w+) = \([^)]*\)[^=]*=>\s*new Promise[^;]*\bsetTimeout\(\w+, \w+\)/g);
  return [...imported, ...delays, ...made].map(([, name]) => name ?? 'setTimeout');
}

const indentOf = (line: string) => line.length - line.trimStart().length;

/** True inside a polling loop; a function in a loop does not count. */
function isAskedAgain(lines: readonly string[], at: number): boolean {
  let indent = Number.POSITIVE_INFINITY;
  for (let line = at; line >= 0; line -= 1) {
    const text = lines[line] ?? '';
    if (text.trim() === '' || indentOf(text) >= indent) continue;
    if (/^\s*(?:\} )?(?:for|while|do)\b/.test(text)) return true;
    if (line !== at && /=> \{$|\bfunction\b/.test(text)) return false;
    indent = indentOf(text);
  }
  return false;
}

/** Lines that sleep outside loops and simulated durations. */
function fixedWaits(file: string, text: string): string[] {
  const names = waitsIn(text);
  const waiting = new RegExp(
    [
      String.raw`\.waitForTimeout\(`,
      String.raw`new Promise\(.*\bsetTimeout\(\w+, [\d_]+\)`,
      ...names.map((name) => String.raw`(?<!\.)\b${name}\([\d_]+[,)]`),
    ].join('|'),
  );
  const lines = text.split('\n');
  return lines.flatMap((line, at) => (waiting.test(line) && !isAskedAgain(lines, at) ? [`${file}:${at + 1}`] : []));
}

test('no test sleeps instead of awaiting a state', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => fixedWaits(file, readFileSync(file, 'utf8')))).toEqual([]);
});

test.each([
  ['of the page', 'await page.waitForTimeout(500);', true],
  ['of a timer', 'await new Promise((resolve) => setTimeout(resolve, 30));\nexpect(1);', true],
  ['of Node’s promises', "import { setTimeout } from 'node:timers/promises';\nawait setTimeout(1_000);", true],
  ['under another name', "import { setTimeout as wait } from 'timers/promises';\n  await wait(5);", true],
  [
    'made in the file',
    'const later = (time: number) => new Promise((done) => setTimeout(done, time));\nlater(9);',
    true,
  ],
  ['in a function in a loop', "import { delay } from 'msw';\nfor (;;) {\n  f(() => {\n    delay(5);\n  });\n}", true],
  ['in a loop', "import { setTimeout as wait } from 'timers/promises';\nwhile (!done) {\n  await wait(5);\n}", false],
  [
    'behind a loop’s head',
    "import { setTimeout as wait } from 'timers/promises';\n  while (!done) await wait(5);",
    false,
  ],
  ['of a timeout that is no wait', 'setTimeout(() => gone.abort(), 50);', false],
])('a fixed wait %s is detected: %j', (_, text, isOne) => {
  expect(fixedWaits('a', text).length > 0).toBe(isOne);
});
