/** Serves the import templates. */
import { contentDisposition } from '#server/platform/files/serve.ts';
import { excelTemplate, wordTemplate } from './import/template.ts';

const templates = {
  1: {
    make: wordTemplate,
    name: '试题导入模板.docx',
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  2: {
    make: excelTemplate,
    name: '试题导入模板.xlsx',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
} as const;

export async function importTemplateFile(format: 1 | 2): Promise<Response> {
  const { make, name, type } = templates[format];
  return new Response(new Uint8Array(await make()), {
    headers: { 'content-type': type, 'content-disposition': contentDisposition('attachment', name) },
  });
}
