/** Lines and spaces set by an author are kept: hedy #1738, Artemis #2569, QSM #2331, wkhtmltopdf #2078. */

import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { introductionToHtml } from '#server/exams/preview.ts';
import { warmUp } from '#server/platform/pdf/render.ts';
import { renderMath } from '#server/platform/text/render-math.ts';
import { sanitizeRichText } from '#server/platform/text/sanitize.ts';
import { type Paper, renderPaper } from '#server/questions/paper/paper.ts';
import { htmlOf, plainTextOf, withShownSpaces } from '../../app/questions/rich-text.ts';
import { type ReadPdf, readPdf } from '../pdf/read.ts';

const code = 'for i in range(3):\n    if i:\n        print(i)';

async function printPdf(stem: string, more: Partial<Paper> = {}): Promise<ReadPdf> {
  const outcome = await renderPaper({
    title: '期中考试',
    facts: [],
    sections: [{ name: '一、题', questions: [{ number: '1', stem }] }],
    variant: 'paper',
    ...more,
  });
  if (!('ok' in outcome)) throw new Error(JSON.stringify(outcome));
  return readPdf(outcome.ok);
}

describe('program text', () => {
  it('keeps its lines and spaces, and its dollars make no formula', () => {
    expect(sanitizeRichText(`<pre>${code}</pre>`)).toBe(`<pre>${code}</pre>`);
    expect(sanitizeRichText(`<p>看</p><pre onclick="x()"><code class="py">${code}</code></pre>`)).toBe(
      `<p>看</p><pre>${code}</pre>`,
    );
    expect(renderMath('<p>$x$</p><pre>echo $x$</pre>')).toMatch(/<math[\s\S]*<pre>echo \$x\$<\/pre>$/);
  });
});

describe('typed text', () => {
  it('keeps its spaces in HTML and returns to the text area as typed', () => {
    expect(htmlOf('if:\n    a  b')).toBe('<p>if:</p><p>\u00a0\u00a0\u00a0 a\u00a0 b</p>');
    const line = fc.string({ unit: fc.constantFrom(' ', 'a', '甲', '<', '&', '1'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
        const text = lines.join('\n');
        expect(plainTextOf(htmlOf(text))).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps its spaces in the editor by no-break spaces, except in program text', () => {
    expect(withShownSpaces('<p>  a  <strong>b</strong> c</p><pre>  x</pre><p>d</p>')).toBe(
      '<p>\u00a0 a\u00a0 <strong>b</strong> c</p><pre>  x</pre><p>d</p>',
    );
  });
});

describe('the introduction of a paper', () => {
  it('keeps its lines, and shows what looks like a tag as text', () => {
    expect(introductionToHtml('一、闭卷。\n二、0<p<1 时不得使用计算器。')).toBe(
      '一、闭卷。<br />二、0&lt;p&lt;1 时不得使用计算器。',
    );
  });
});

describe('a printed paper', { timeout: 60_000 }, () => {
  beforeAll(warmUp, 60_000);

  it('keeps the lines and indentation of program text and introductions', async () => {
    const pdf = await printPdf(`<pre>${code}</pre>`, { introduce: introductionToHtml('第一条\n    第二条') });
    const [first, second, third] = ['for', 'if', 'print'].map((word) => pdf.find(word));
    expect(second?.y).not.toBe(first?.y);
    expect(third?.y).not.toBe(second?.y);
    expect([second?.x ?? 0, third?.x ?? 0].map((x) => x - (first?.x ?? 0)).every((by) => by > 15)).toBe(true);
    expect(pdf.find('第二条').y).not.toBe(pdf.find('第一条').y);
    expect(pdf.find('第二条').x).toBeGreaterThan(pdf.find('第一条').x + 5);
  });

  it.each([
    ['a picture', async () => `看图<img src="${await portrait()}">选择`],
    ['a word of 300 letters', async () => `看图${'Abcdefghij'.repeat(30)}选择`],
  ])('does not stretch the line before %s', async (_, stem) => {
    const pdf = await printPdf(`<p>${await stem()}</p>`);
    expect(pdf.find('图').x - pdf.find('看').x).toBeLessThan(14);
  });
});

const portrait = async () =>
  `data:image/png;base64,${(
    await sharp({ create: { width: 560, height: 300, channels: 3, background: '#888' } })
      .png()
      .toBuffer()
  ).toString('base64')}`;
