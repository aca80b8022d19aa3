/** Asks the server how texts look: formulas become MathML there, so that no browser loads a typesetter. */
import { questionDisplay } from './screens.ts';
import { shownTexts } from './shown-texts.ts';

/** Where the server is asked. */
export const displayAddress = questionDisplay.href();

const known = new Map<string, Promise<string | undefined>>();
let waiting: { latex: string; resolve: (html: string | undefined) => void }[] = [];

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** A formula as MathML; the formulas of one moment are asked for together, and each once. */
export function formulaHtml(latex: string): Promise<string | undefined> {
  let found = known.get(latex);
  if (!found) {
    found = new Promise((resolve) => {
      waiting.push({ latex, resolve });
      if (waiting.length === 1) setTimeout(askForWaiting, 20);
    });
    known.set(latex, found);
  }
  return found;
}

async function askForWaiting(): Promise<void> {
  const asked = waiting;
  waiting = [];
  const shown = await shownTexts(
    displayAddress,
    asked.map(({ latex }) => `<span class="math" data-latex="${attribute(latex)}"></span>`),
  );
  for (const [index, { latex, resolve }] of asked.entries()) {
    resolve(shown?.[index]);
    // Not there now may be there later.
    if (!shown) known.delete(latex);
  }
}
