/** Lets the server render formulas as MathML, so that browsers need not load a formula renderer. */

import { renderTexts } from './render-texts.ts';
import { questionDisplay } from './screens.ts';

export const displayAddress = questionDisplay.href();

const cache = new Map<string, Promise<string | undefined>>();
let waiting: { latex: string; resolve: (html: string | undefined) => void }[] = [];

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Returns a formula as MathML. Formulas of the next 20 ms are sent in one request, and each result is cached. */
export function formulaHtml(latex: string): Promise<string | undefined> {
  let found = cache.get(latex);
  if (!found) {
    found = new Promise((resolve) => {
      waiting.push({ latex, resolve });
      if (waiting.length === 1) setTimeout(renderQueued, 20);
    });
    cache.set(latex, found);
  }
  return found;
}

/** True if the server rendered the formula; invalid LaTeX stays as text. */
export const isFormulaHtml = (html: string): boolean => html.includes('<math');

async function renderQueued(): Promise<void> {
  const batch = waiting;
  waiting = [];
  const shown = await renderTexts(
    displayAddress,
    batch.map(({ latex }) => `<span class="math" data-latex="${attribute(latex)}"></span>`),
  );
  for (const [index, { latex, resolve }] of batch.entries()) {
    resolve(shown?.[index]);
    // A failed request is not cached.
    if (!shown) cache.delete(latex);
  }
}
