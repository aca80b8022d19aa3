/** Returns suggested values of a text filter as HTML. */
import type { Suggestions } from './filter-form.tsx';

export const suggestionsOf = (names: readonly string[]): Suggestions => ({
  html: names.map((name) => `<option value="${escaped(name)}"></option>`).join(''),
});

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => signs[sign] as string);
