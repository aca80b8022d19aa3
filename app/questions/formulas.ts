/** Asks the server how texts look: formulas become MathML there, so that no browser loads a typesetter. */
import { questionDisplay } from './screens.ts';

const address = questionDisplay.href();

/** The shown HTML of each text, sanitised by the server; undefined where it cannot be asked. */
export async function shownTexts(texts: string[]): Promise<string[] | undefined> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ texts }),
    });
    return response.ok ? ((await response.json()) as string[]) : undefined;
  } catch {
    return undefined;
  }
}

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
    asked.map(({ latex }) => `<span class="math" data-latex="${attribute(latex)}"></span>`),
  );
  for (const [index, { latex, resolve }] of asked.entries()) {
    resolve(shown?.[index]);
    // Not there now may be there later.
    if (!shown) known.delete(latex);
  }
}
