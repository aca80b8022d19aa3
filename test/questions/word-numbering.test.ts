import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createCounter, readNumbering } from '#server/questions/import/word-numbering.ts';

const level = (index: number, text: string, more = '<w:numFmt w:val="decimal"/>') =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
const definition = (id: number, levels: string) => `<w:abstractNum w:abstractNumId="${id}">${levels}</w:abstractNum>`;
const list = (id: number, of: number, overrides = '') =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${overrides}</w:num>`;

async function labels(numbering: string, paragraphs: [list: number, level: number][]): Promise<string[]> {
  const part = `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${numbering}</w:numbering>`;
  const count = createCounter(await readNumbering(Readable.from([Buffer.from(part)])));
  return paragraphs.map(([id, index]) => count(String(id), index));
}

describe('a list that Word numbers', () => {
  const twoLevels = definition(1, level(0, '%1.') + level(1, '%1.%2'));

  test('counts on in another list of the same definition, and begins again where it is told to', async () => {
    const again = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>';
    expect(
      await labels(twoLevels + list(1, 1) + list(2, 1) + list(3, 1, again), [
        [1, 0],
        [1, 0],
        [2, 0],
        [3, 0],
        [3, 0],
      ]),
    ).toEqual(['1.', '2.', '3.', '1.', '2.']);
  });

  test('restarts its inner level after an outer one, unless the level goes on', async () => {
    const order: [number, number][] = [
      [1, 0],
      [1, 1],
      [1, 1],
      [1, 0],
      [1, 1],
    ];
    expect(await labels(twoLevels + list(1, 1), order)).toEqual(['1.', '1.1', '1.2', '2.', '2.1']);
    const goesOn = definition(1, level(0, '%1.') + level(1, '%2)', '<w:lvlRestart w:val="0"/>'));
    expect(await labels(goesOn + list(1, 1), order)).toEqual(['1.', '1)', '2)', '2.', '3)']);
  });

  test('takes levels that a list defines anew', async () => {
    const letters = `<w:lvlOverride w:ilvl="0">${level(0, '(%1)', '<w:numFmt w:val="upperLetter"/>')}</w:lvlOverride>`;
    expect(
      await labels(twoLevels + list(1, 1, letters), [
        [1, 0],
        [1, 0],
        [1, 1],
      ]),
    ).toEqual(['(A)', '(B)', 'B.1']);
  });

  test('takes its levels from a list style', async () => {
    const linked = definition(2, '<w:numStyleLink w:val="Questions"/>');
    const style = definition(1, `<w:styleLink w:val="Questions"/>${level(0, '第%1题')}`);
    expect(
      await labels(style + linked + list(1, 2), [
        [1, 0],
        [1, 0],
      ]),
    ).toEqual(['第1题', '第2题']);
  });

  test.each([
    ['chineseCounting', '三'],
    ['chineseLegalSimplified', '叁'],
    ['decimalEnclosedCircleChinese', '③'],
    ['decimalEnclosedParen', '⑶'],
    ['decimalEnclosedFullstop', '⒊'],
    ['ideographEnclosedCircle', '㊂'],
    ['decimalZero', '03'],
    ['decimalFullWidth', '３'],
    ['ideographTraditional', '丙'],
    ['ideographZodiac', '寅'],
    ['upperRoman', 'III'],
    ['lowerLetter', 'c'],
  ])('shows the third number of the format %s as %s', async (format, shown) => {
    const numbering = definition(1, level(0, '%1', `<w:numFmt w:val="${format}"/>`)) + list(1, 1);
    expect(
      (
        await labels(numbering, [
          [1, 0],
          [1, 0],
          [1, 0],
        ])
      )[2],
    ).toBe(shown);
  });

  test('shows outer numbers as digits where the label is legal', async () => {
    const chapters = definition(
      1,
      level(0, '第%1章', '<w:numFmt w:val="chineseCounting"/>') + level(1, '%1.%2', '<w:isLgl/>'),
    );
    expect(
      await labels(chapters + list(1, 1), [
        [1, 0],
        [1, 0],
        [1, 1],
      ]),
    ).toEqual(['第一章', '第二章', '2.1']);
  });
});
