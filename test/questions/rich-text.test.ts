import { describe, expect, test } from 'vitest';
import { htmlExcerpt, plainText } from '#server/platform/text/plain-text.ts';
import { renderMath } from '#server/platform/text/render-math.ts';
import { sanitizeRichText } from '#server/platform/text/sanitize.ts';

describe('sanitizing rich text', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<img src="javascript:alert(1)">',
    '<img src="/files/a.png" onload="alert(1)" style="background:url(javascript:alert(1))">',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="java\tscript:alert(1)">x</a>',
    '<svg onload=alert(1)><script>alert(1)</script></svg>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<p style="width:expression(alert(1));background:url(javascript:alert(1))">x</p>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<textarea><img src=x onerror=alert(1)></textarea>',
    '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
    '<form action="javascript:alert(1)"><button>x</button></form>',
    '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">',
    '<img src="data:text/html;base64,PHNjcmlwdD4=">',
    '<img src="https://evil.example/track.png">',
    '<img src="//evil.example/files/a.png">',
    '<img src="/files/../api/logout">',
    '<img src="/files/%2e%2e/secret">',
    '<img srcset="x 1x, javascript:alert(1) 2x">',
    '<base href="//evil.example"><meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
    '<style>@import "javascript:alert(1)";</style><link rel=stylesheet href="//evil.example">',
    '<details open ontoggle=alert(1)>x</details>',
    '<p id="x" class="math evil" data-latex="x">x</p>',
    '<IMG SRC=&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)>',
    '<<script>alert(1);//<</script>',
    '<span class="math" data-latex="x" onmouseover="alert(1)">x</span>',
  ])('removes everything hostile from %s', (hostile) => {
    const safe = sanitizeRichText(hostile);
    expect(safe).not.toMatch(
      /<(?:script|svg|math|iframe|style|object|embed|form|base|meta|link|a|noscript|textarea)\b/i,
    );
    expect(safe).not.toMatch(
      /<[^>]*(?:\son\w+|javascript:|evil|srcset|expression|\bid=|\.\.|%2e|svg\+xml|text\/html)/i,
    );
    expect(sanitizeRichText(safe)).toBe(safe);
  });

  test('keeps whatever the editor writes', () => {
    const written =
      '<p style="text-align:center">甲<strong>乙</strong><em>丙</em><u>丁</u><s>戊</s><sub>1</sub><sup>2</sup></p>' +
      '<ol start="3"><li>一</li></ol><table><tbody><tr><td colspan="2" rowspan="3">格</td></tr></tbody></table>' +
      '<p><img src="/files/q/a%20b.png?v=1" alt="图" width="20" height="30" />' +
      '<img src="data:image/png;base64,iVBORw0KGgo=" alt="" />' +
      '<span class="math" data-latex="\\frac{1}{2} &lt; x">1/2</span>' +
      '<span style="text-emphasis:filled dot;text-emphasis-position:under right">点</span></p>';
    expect(sanitizeRichText(written)).toBe(written);
  });

  test('gives a picture without a description the text 图片', () => {
    expect(sanitizeRichText('<img src="/files/a.png">')).toBe('<img src="/files/a.png" alt="图片" />');
  });

  test('turns old tags into their successors and blocks into paragraphs', () => {
    expect(sanitizeRichText('<div><b>x</b><i>y</i></div><h1>z</h1>')).toBe(
      '<p><strong>x</strong><em>y</em></p><p>z</p>',
    );
  });

  test('limits lists to 30 levels', () => {
    const safe = sanitizeRichText(`${'<ul><li>'.repeat(5_000)}x`);
    expect(safe).toContain('x');
    expect(safe.match(/<ul>/g)?.length).toBeLessThanOrEqual(30);
  });
});

test('chemistry between dollar signs is rendered', () => {
  expect(renderMath('<p>写出 $\\ce{2H2O ->[通电] 2H2 ^ + O2 ^}$ 的条件</p>')).toMatch(
    /<p>写出 [\s\S]*<math[\s\S]*通电/,
  );
});

test('the plain text of a question names pictures and keeps the LaTeX of formulas', () => {
  const html =
    '<p>甲&nbsp;&lt;乙&gt;</p><p>丙<img src="/files/a.png" /></p><span class="math" data-latex="x^2">…</span><style>p{}</style>';
  expect(plainText(html)).toBe('甲 <乙> 丙［图片］ x^2');
});

test('an excerpt is cut between formulas, never inside one', () => {
  const html = '<p>已知 <strong>a&lt;b</strong></p><p>求 $x^2&lt;1$ 与<span data-latex="\\frac12">…</span>的和</p>';
  const beginning = (most: number) => htmlExcerpt(html, most);
  expect(plainText(beginning(99))).toBe('已知 a<b 求 $x^2<1$ 与\\frac12的和');
  expect(beginning(99)).not.toContain('…');
  expect(beginning(4)).toBe('已知 a…');
  expect(beginning(12)).toBe('已知 a&lt;b 求 …');
  expect(plainText(beginning(16))).toBe('已知 a<b 求 $x^2<1$…');
  expect(renderMath(beginning(99)).match(/<math /g)?.length).toBe(2);
  expect(htmlExcerpt('<script>alert(1)</script><img src=x onerror=alert(1)>&lt;b&gt;', 9)).toBe('［图片］&lt;b&gt;');
});

describe('formulas in rich text', () => {
  const mathml = (html: string) => renderMath(html).match(/<math /g)?.length ?? 0;

  test('renders a formula element as MathML and drops its old content', () => {
    const html = renderMath('<p>a <span class="math" data-latex="\\frac{1}{2}"><b>old</b></span> b</p>');
    expect(html).toMatch(/^<p>a <span class="katex"><math .*<mfrac><mn>1<\/mn><mn>2<\/mn><\/mfrac>.*<\/span> b<\/p>$/);
    expect(html).not.toContain('old');
  });

  test('renders formulas in dollars, parentheses and brackets, also with escaped signs inside', () => {
    expect(mathml('<p>当 $a&lt;b$ 且 \\(x \\ge 0\\) 时，$$\\sum_i x_i$$ 与 \\[y\\]</p>')).toBe(4);
    expect(renderMath('<p>$a&lt;b$</p>')).toContain('<mo>&lt;</mo>');
    expect(mathml('<p>$\\text{若} x$</p>')).toBe(1);
  });

  test('keeps a formula on one line with the comma after it and the bracket before it', () => {
    const html = renderMath('<p>由（$a=1$），得 $b=2$。又 <span class="math" data-latex="c"></span>，$d$ 和</p>');
    expect(html.replace(/<math .*?<\/math>/g, '*')).toBe(
      [
        '<p>由<span class="katex">（*），</span>得 <span class="katex">*。</span>',
        '又 <span class="katex">*，</span><span class="katex">*</span> 和</p>',
      ].join(''),
    );
  });

  test('leaves amounts of money as text', () => {
    for (const html of ['<p>从$5涨到$10，又降到$8。</p>', '<p>$5 and $10</p>', '<p>\\$a\\$</p>', '<p>只有一个 $</p>']) {
      expect(mathml(html)).toBe(0);
    }
    expect(renderMath('<p>从$5涨到$10</p>')).toBe('<p>从$5涨到$10</p>');
  });

  test('shows invalid LaTeX as it was written', () => {
    expect(renderMath('<p>$\\frac{$</p>')).toBe('<p><code class="math-source">$\\frac{$</code></p>');
    expect(renderMath('<p>$x$</p><p>甲<br />乙</p>')).toMatch(/<p>甲<br \/>乙<\/p>$/);
  });

  test('renders hostile LaTeX without links, loads or endless loops', () => {
    const hostile = [
      '\\href{javascript:alert(1)}{x}',
      '\\includegraphics{https://evil.example/x.png}',
      '\\htmlStyle{background:url(x)}{x}',
      '\\def\\a{\\a\\a}\\a',
      `${'{'.repeat(900)}x`,
      '\\rule{9999999em}{9999999em}',
      '</annotation><img src=x onerror=alert(1)>',
    ];
    const started = performance.now();
    for (const latex of hostile) {
      const html = renderMath(sanitizeRichText(`<p>\\(${latex}\\)</p>`));
      expect(html).not.toMatch(/<(?:a|img|script)\b|href=|src=|style="[^"]*url/);
      expect(html).not.toMatch(/(?:width|height)="9999999em"/);
    }
    renderMath(`<p>${'$x$ '.repeat(20_000)}</p>`);
    renderMath(`<p>${'$'.repeat(50_000)}</p>`);
    renderMath(`<p>$${'\\text{a}'.repeat(120)}</p>`);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
