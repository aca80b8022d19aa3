import { expect, it } from 'vitest';
import { rosterTexts, sheetFile, smallRoster, uploader, zipOf } from '../support/import-files.ts';

const upload = uploader();

/** Returns a pseudo-random generator: the same seed gives the same numbers. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Changes one byte, removes a piece, or truncates the file. */
function damage(bytes: Uint8Array, next: (below: number) => number): Uint8Array {
  const at = next(bytes.length);
  switch (next(3)) {
    case 0:
      return bytes.map((byte, index) => (index === at ? next(256) : byte));
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.min(bytes.length, at + 1 + next(40)))]);
    default:
      return bytes.subarray(0, at);
  }
}

const texts = rosterTexts(smallRoster());
const uploads: [string, Uint8Array][] = [
  ['a.zip', zipOf(texts)],
  [
    'a.xlsx',
    sheetFile({
      学员: [
        ['姓名', '学号'],
        ['张三', '1'],
      ],
      进班: [
        ['班级', '学员'],
        ['甲', '张三'],
      ],
    }),
  ],
  ['a.csv', Buffer.from(`\ufeff姓名,"学号",手机号\n张三,1,13800000001\n"李\n四",２,\n`)],
];

it.each(uploads)('a damaged %s is read or refused', async (name, bytes) => {
  const next = numbers(name.length * 7919);
  for (let count = 0; count < 40; count += 1) {
    const reading = await upload(name, damage(bytes, next));
    expect([...reading.intended].length > 0 || reading.refused.length > 0).toBe(true);
  }
});

it('a damaged package file is read or refused', async () => {
  const next = numbers(11);
  const names = Object.keys(texts);
  for (let count = 0; count < 40; count += 1) {
    const name = names[next(names.length)] ?? '';
    const reading = await upload('a.zip', zipOf({ ...texts, [name]: damage(Buffer.from(texts[name] ?? ''), next) }));
    const refused = new Set(reading.refused.map(({ file, row }) => `${file} ${row}`));
    for (const { place } of reading.intended) expect(refused).not.toContain(`${place.file} ${place.row}`);
  }
});
