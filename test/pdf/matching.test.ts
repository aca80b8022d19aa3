import { expect, test } from 'vitest';
import { matchingLine, matchingRoom, strokePath } from '#server/exams/matching-lines.ts';
import { type Paper, type PaperMatching, renderPaper } from '#server/questions/paper/paper.ts';
import { readPdf } from './read.ts';

const columns: PaperMatching = {
  left: ['李白', '杜甫', '白居易'].map((content, index) => ({ label: `${index + 1}`, content })),
  right: ['《琵琶行》', '《将进酒》', '《春望》'].map((content, index) => ({ label: 'ABC'[index] ?? '', content })),
  lines: [
    [0, 1],
    [1, 2],
    [2, 0],
  ].flatMap(([left = 0, right = 0]) => matchingLine(left, right)),
  room: matchingRoom,
};
const paper = (variant: Paper['variant']): Paper => ({
  title: '连线',
  facts: [],
  sections: [{ name: '一、连线题', questions: [{ number: '1', stem: '连线。', matching: columns }] }],
  variant,
});

async function printPdf(variant: Paper['variant']) {
  const outcome = await renderPaper(paper(variant));
  if (!('ok' in outcome)) throw new Error(outcome.failed);
  return readPdf(outcome.ok);
}

test('matching lines connect their rows, reproducibly', () => {
  const strokes = matchingLine(0, 2);
  expect(strokes.length).toBeGreaterThan(0);
  for (const [x, y, , , , , endX, endY] of strokes) {
    expect(Math.abs(x - 0) + Math.abs(y - 20)).toBeLessThan(10);
    expect(Math.abs(endX - matchingRoom.width) + Math.abs(endY - 100)).toBeLessThan(10);
  }
  expect(matchingLine(0, 2)).toEqual(strokes);
  expect(matchingLine(2, 0)).not.toEqual(strokes);
  expect(strokePath(strokes)).toMatch(/^(?:M-?[\d.]+ -?[\d.]+C(?:-?[\d.]+ ?){6}){2}$/);
});

test('matching prints lines with answers only', async () => {
  const [blank, solved, sheet] = [
    await printPdf('paper'),
    await printPdf('with-answers'),
    await printPdf('answer-sheet'),
  ];
  for (const pdf of [blank, solved]) {
    expect(pdf.text()).toContain('1.李白');
    expect(pdf.find('李白').y).toBeCloseTo(pdf.find('《琵琶行》').y, 0);
    expect(pdf.find('《琵琶行》').x - pdf.find('李白').x).toBeGreaterThan(150);
  }
  expect(sheet.text()).toContain('1（1）1（2）1（3）');
  /** Returns the dark points halfway between the columns, at the height of each row. */
  const inked = async (pdf: typeof blank) => {
    const colour = await pdf.picture(1);
    const [top, bottom] = [pdf.find('李白').y, pdf.find('白居易').y];
    const middle = (pdf.find('李白').x + pdf.find('《琵琶行》').x) / 2 + 60;
    let dark = 0;
    for (let y = top - 10; y < bottom + 10; y += 1) if (colour(middle, y)[0] < 200) dark += 1;
    return dark;
  };
  expect(await inked(blank)).toBe(0);
  expect(await inked(solved)).toBeGreaterThan(2);
});
