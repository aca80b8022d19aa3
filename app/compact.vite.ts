/**
 * V8 keeps the text of what it runs, in two bytes for each character once one of them is not ASCII. So the build of the
 * server has its comments left out and such characters written as escapes: the same program in half the memory. Lines and
 * names stay, for whoever reads where an error came from.
 */
import { minifySync, type Plugin } from 'vite';

export function compact(): Plugin {
  return {
    name: 'compact',
    apply: 'build',
    enforce: 'post',
    // The last of all: whoever prints the program again writes the characters themselves.
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const codegen = { removeWhitespace: false, legalComments: 'none' } as const;
        const options = { module: true, compress: false, mangle: false, codegen } as const;
        const { code, errors } = minifySync(chunk.fileName, chunk.code, options);
        if (errors.length > 0) this.error(`${chunk.fileName}: ${errors[0]?.message}`);
        chunk.code = inOneByte(code);
      }
    },
  };
}

/** In texts, templates, patterns and names alike. Only what asks for the raw text of a template would see it. */
const inOneByte = (code: string): string =>
  code.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
