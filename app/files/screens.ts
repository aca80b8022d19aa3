import * as v from 'valibot';
import { FileQuery } from '#server/platform/files/contract.ts';
import { screen } from '../lib/screen.ts';

export const fileUpload = screen('files/upload', '/files', 'upload.ts', {}, { files: true });
export const storedFile = screen('files/serve', '/files/:year/:month/:file', 'serve.ts', {
  year: v.string(),
  month: v.string(),
  file: v.string(),
  ...FileQuery.entries,
});
