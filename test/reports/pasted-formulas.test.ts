/**
 * Formulas and pictures of other programs: suneditor #399, codewars #2752, joplin #5241, outline #3736, froala #1806.
 */

import { describe, expect, it } from 'vitest';
import { readForeignFormulas } from '#server/platform/text/foreign-formulas.ts';
import { renderMath } from '#server/platform/text/render-math.ts';
import { droppedContentFault, sanitizeRichText } from '#server/platform/text/sanitize.ts';
import { validateDraft } from '#server/questions/write.ts';

const latexIn = (html: string): string[] =>
  [...sanitizeRichText(html).matchAll(/data-latex="([^"]*)"/g)].map(([, latex = '']) =>
    latex.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replace(/\s+/g, ' '),
  );
const math = (inner: string) => latexIn(`<p>解<math>${inner}</math>得</p>`);

describe('a pasted formula', () => {
  it('becomes its LaTeX again when copied from our own page', () => {
    const shown = renderMath('<p>等差数列 $\\{a_n\\}$ 中，$a_1=2$</p>');
    expect(latexIn(shown)).toEqual(['\\{a_n\\}', 'a_1=2']);
    expect(sanitizeRichText(shown)).not.toContain('{an}');
  });

  it.each([
    ['<mfrac><mn>1</mn><mn>2</mn></mfrac>', '\\frac{1}{2}'],
    ['<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msqrt><mi>y</mi></msqrt>', 'x^{2}+\\sqrt{y}'],
    ['<mi>sin</mi><mi>α</mi><mo>≤</mo><mn>3</mn>', '\\sin α≤3'],
    [
      '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>a</mi><mi>i</mi></msub>',
      '∑_{i=1}^{n}a_{i}',
    ],
    [
      '<mrow><mo>{</mo><mtable><mtr><mtd><mi>x</mi></mtd></mtr><mtr><mtd><mi>y</mi></mtd></mtr></mtable></mrow>',
      '\\begin{cases}x \\\\ y\\end{cases}',
    ],
    ['<mtext>当</mtext><mi>x</mi><mo>&lt;</mo><mn>0</mn>', '\\text{当}x<0'],
    ['<mover><mi>AB</mi><mo>→</mo></mover>', '\\overrightarrow{\\mathrm{AB}}'],
    ['<mrow><mo>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>)</mo></mrow>', '\\left( \\frac{a}{b} \\right)'],
  ])('is read from MathML without its source: %s', (inner, latex) => {
    expect(math(inner)).toEqual([latex]);
    expect(renderMath(sanitizeRichText(`<p><math>${inner}</math></p>`))).toContain('<math');
  });

  it('stands once when copied from KaTeX, MathJax or Wikipedia', () => {
    const katex =
      '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span>x2</span></span></span>';
    const mathJax =
      '<mjx-container><mjx-math aria-hidden="true"><mjx-mi>x</mjx-mi></mjx-math><mjx-assistive-mml><math><mi>x</mi></math></mjx-assistive-mml></mjx-container>';
    const older =
      '<span class="MathJax" data-mathml="&lt;math&gt;&lt;mi&gt;y&lt;/mi&gt;&lt;/math&gt;"><span>y</span></span>';
    const wikipedia =
      '<span class="mwe-math-element"><span class="mwe-math-mathml-inline"><math alttext="{\\displaystyle E=mc^{2}}"><mi>E</mi></math></span><img src="https://wikimedia.org/x.svg"></span>';
    expect(latexIn(`<p>${katex}，${mathJax}，${older}，${wikipedia}</p>`)).toEqual(['x^2', 'x', 'y', 'E=mc^{2}']);
    expect(sanitizeRichText(`<p>${katex}</p>`).match(/x\^?2/g)).toHaveLength(2);
  });

  it.each([
    ['<img src="https://www.zhihu.com/equation?tex=%5Cfrac%7B1%7D%7B2%7D%5C%5C" alt="x" eeimg="1">', '\\frac{1}{2}'],
    ['<span class="ztext-math" data-tex="a^2+b"><svg><path d="M0"/></svg></span>', 'a^2+b'],
    ['<img src="https://latex.codecogs.com/svg.image?\\dpi{110}&space;x&plus;y">', 'x+y'],
    ['<img src="https://math.jianshu.com/math?formula=x%3C1">', 'x<1'],
  ])('is read from a site that shows it as a picture: %s', (html, latex) => {
    expect(latexIn(`<p>解${html}得</p>`)).toEqual([latex]);
    expect(droppedContentFault(`<p>解${html}得</p>`)).toBeUndefined();
  });

  it('is read from Word’s clipboard without the picture that Word adds', () => {
    const fraction = '<m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>';
    const power = '<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>';
    const html = `<p>解<!--[if gte msEquation 12]><m:oMath>${fraction}<m:r><m:t>+</m:t></m:r>${power}</m:oMath><![endif]--><![if !msEquation]><img src="file:///C:/x.png"><![endif]>得</p>`;
    expect(latexIn(html)).toEqual(['\\frac{1}{2}+x^{2}']);
    expect(droppedContentFault(html)).toBeUndefined();
  });

  it('is read from Word’s clipboard when its letters have no elements of their own', () => {
    const run = (text: string) =>
      `<i style='mso-bidi-font-style:normal'><span lang=EN-US style='font-family:"Cambria Math",serif'><m:r>${text}</m:r></span></i>`;
    const upright = (text: string) =>
      `<span lang=EN-US><m:r><m:rPr><m:scr m:val="roman"/><m:sty\n m:val="p"/></m:rPr>${text}</m:r></span>`;
    const control = (name: string) => `<m:${name}Pr><span lang=EN-US><m:ctrlPr></m:ctrlPr></span></m:${name}Pr>`;
    const fraction = `<m:f>${control('f')}<m:num>${run('1')}</m:num><m:den>${run('2')}</m:den></m:f>`;
    const index = `<m:sSub>${control('sSub')}<m:e>${run('a')}</m:e><m:sub>${run('n')}</m:sub></m:sSub>`;
    const html = `<p class=MsoNormal>设<!--[if gte msEquation 12]><m:oMath>${index}${upright('=\n-')}${fraction}${run('x')}${upright('sin')}${run('y')}</m:oMath><![endif]--><![if !msEquation]><span><![if !vml]><img src="file:///C:/x.png"><![endif]></span><![endif]>则</p>`;
    expect(latexIn(html)).toEqual(['a_{n}=\\ -\\frac{1}{2}x\\sin y']);
    expect(droppedContentFault(html)).toBeUndefined();
  });

  it('is named with its letters when unreadable', () => {
    const html = '<p>解<math><msline>12</msline></math>得</p>';
    expect(readForeignFormulas(html)).toEqual({ html: '<p>解［公式：12］得</p>', unread: 1 });
    expect(droppedContentFault(html)).toBe('有1个公式无法识别，请用 LaTeX 重新输入');
  });
});

describe('a pasted picture that was not uploaded', () => {
  const written = {
    ques_type: 1 as const,
    ques_stem: '看图作答',
    ques_option: [
      { id: 1, content: '甲', is_right: 1 as const },
      { id: 2, content: '乙', is_right: 2 as const },
    ],
    right_answer: '1',
    ques_analysis: '',
    facility_value: 3,
    remark: '',
    ques_item: [],
  };
  const errorsOf = (change: object) => {
    const outcome = validateDraft({ ...written, ...change } as never);
    return 'errors' in outcome ? outcome.errors : {};
  };

  it.each(['file:///C:/x.png', 'https://example.org/x.png', 'blob:https://x/1', 'x.png'])(
    'is refused at its field: %s',
    (src) => {
      const told = ['有1张图片没有上传，请上传后再插入'];
      const html = `<p>看图<img src="${src}">作答</p>`;
      expect(errorsOf({ ques_stem: html })).toEqual({ ques_stem: told });
      expect(errorsOf({ ques_analysis: html })).toEqual({ ques_analysis: told });
      expect(errorsOf({ ques_option: [written.ques_option[0], { id: 2, content: html, is_right: 2 }] })).toEqual({
        'ques_option.1.content': told,
      });
    },
  );

  it.each(['<svg><rect/></svg>', '<canvas></canvas>', '<v:imagedata src="x.png"/>'])(
    'is refused if it is a drawing: %s',
    (drawing) => {
      expect(errorsOf({ ques_stem: `<p>看图${drawing}作答</p>` })).toEqual({
        ques_stem: ['有1张图片没有上传，请上传后再插入'],
      });
    },
  );

  it('is ignored if it is an icon of the page', () => {
    expect(errorsOf({ ques_stem: '<p>看<svg aria-hidden="true"></svg>图</p>' })).toEqual({});
  });

  it('is accepted if it is one of our files', () => {
    expect(errorsOf({ ques_stem: '<p><img src="/files/2026/11/k2Jd8sQm.jpg"></p>' })).toEqual({});
  });

  it('has equal options beside it refused at their field', () => {
    expect(errorsOf({ ques_option: written.ques_option.map((option) => ({ ...option, content: '甲' })) })).toEqual({
      'ques_option.1.content': ['选项B与选项A相同'],
    });
  });
});
