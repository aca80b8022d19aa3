/** Finds scores on a screen that do not have exactly one decimal. */
import { parseHTML } from 'linkedom';

/** Text that an author has written may contain any score, such as `60 分以下`, so it is not checked. */
const written = '[data-written], [role=tooltip], math, p:has(math), script, style, textarea, option';
/** Matches 12 分 and 5.25 分, but not minutes (分钟), rules (按0分计) or words such as 分组. */
const bareScore = /(?<![\d.])(?:\d+|\d+\.\d{2,}) ?分(?![钟类布组析享别以计])/;
/** If this does not match, the page has neither a score nor a column of scores. */
const anyScore = /分(?![钟类布组析享别以计])/;
const scoreColumn = /^(总分|满分|分值|得分(?!率)|平均分|及格分|客观题得分|主观题得分|最高分|最低分|得分\/总分)/;

/** Returns the scores of a page that do not have exactly one decimal, each with the text around it. */
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
