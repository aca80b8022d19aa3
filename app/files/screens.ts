/** Where files are taken in and handed out. */

import { FileQuery } from '#server/platform/files/contract.ts';
import { screen } from '../lib/screen.ts';

export const fileUpload = screen('files/upload', '/files');
export const storedFile = screen('files/serve', '/files/:year/:month/:name', FileQuery.entries);
