/** Every score that a screen shows has one decimal. */
import { parseHTML } from 'linkedom';

/** What stands in a question is its author's: `60 分以下`. */
const written = '[data-written], [role=tooltip], math, p:has(math), script, style, textarea, option';
/** 12 分, 5.25 分; minutes, a rule that speaks of nothing (按0分计), a group's word are none. */
const bareScore = /(?<![\d.])(?:\d+|\d+\.\d{2,}) ?分(?![钟类布组析享别以计])/;
/** Without one of these a page has neither a score nor a column of them. */
const anyScore = /分(?![钟类布组析享别以计])/;
const scoreColumn = /^(总分|满分|分值|得分|平均分|及格分|客观题得分|主观题得分|最高分|最低分|得分\/总分)/;

/** The scores of a page without exactly one decimal, with what stands around them. */
export function bareScores(html: string): string[] {
  if (!anyScore.test(html)) return [];
  const { document } = parseHTML(html);
  const found: string[] = [];
  for (const table of document.querySelectorAll('table')) {
    const heads = [...table.querySelectorAll('thead th')].map((head) => textOf(head));
    for (const row of table.querySelectorAll('tbody tr')) {
      for (const [place, cell] of [...row.children].entries()) {
        const text = textOf(cell);
        const numbers = scoreColumn.test(heads[place] ?? '') && !text.includes('%') ? text.match(/[\d.]+/g) : null;
        if (numbers?.some((number) => !/^\d+\.\d$/.test(number))) found.push(`${heads[place]}: ${text}`);
      }
    }
  }
  for (const term of document.querySelectorAll('dt')) {
    const value = textOf(term.nextElementSibling);
    if (scoreColumn.test(textOf(term)) && /^\d+$/.test(value)) found.push(`${textOf(term)}: ${value}`);
  }
  for (const unseen of document.querySelectorAll(written)) unseen.remove();
  const text = textOf(document.querySelector('main'));
  const bare = bareScore.exec(text);
  if (bare) found.push(text.slice(Math.max(0, bare.index - 20), bare.index + 20));
  return found;
}

const textOf = (element: Element | null | undefined): string =>
  (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
