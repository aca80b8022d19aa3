/**
 * PostCSS plugin for Chromium before 88, which drops rules with `:where(…)`. No maintained plugin compiles `:where`
 * away. Adds a copy of each such rule without `:where`, for those browsers only. The copies are more specific than the
 * originals, so they come first in the sheet.
 */
import type { Plugin } from 'postcss';
import parser, { type Pseudo } from 'postcss-selector-parser';

/** Writes a selector without `:where(…)`: one selector for each choice in its parentheses. */
function expandWhere(selector: string): string[] {
  const root = parser().astSync(selector);
  let where: Pseudo | undefined;
  root.walkPseudos((pseudo) => {
    if (pseudo.value === ':where') where ??= pseudo;
  });
  const found = where;
  if (!found) return [selector];
  const choices = found.nodes.map(String);
  found.removeAll();
  return choices.flatMap((choice) => {
    found.value = choice.trim();
    return expandWhere(String(root));
  });
}

export const removeWhere: Plugin = {
  postcssPlugin: 'remove-where',
  OnceExit(sheet, { AtRule }) {
    // Browsers without `:where()` run no script, so sheets of scripts need no copies.
    if (sheet.source?.input.file?.endsWith('.script.css')) return;
    const fallback = new AtRule({ name: 'supports', params: 'not selector(:where(*))' });
    for (const rule of sheet.nodes)
      if (rule.type === 'rule' && rule.selector.includes(':where('))
        fallback.append(rule.clone({ selectors: rule.selectors.flatMap(expandWhere) }));
    if (fallback.nodes) sheet.prepend(fallback);
  },
};
