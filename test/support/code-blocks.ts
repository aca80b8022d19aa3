/** Code fences in a document, such as ```ts into server/notices/rules.ts. */
interface CodeBlock {
  language: string;
  /** Words after the language: the file that the code belongs to, and the place in it. */
  place: string | undefined;
  code: string;
}

export const codeBlocks = (document: string): CodeBlock[] =>
  [...document.matchAll(/^( *)```(\w+)(?: (.*))?\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', language = '', place, code = '']) => ({
      language,
      place,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
