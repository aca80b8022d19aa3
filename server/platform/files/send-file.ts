/** Serves stored files to anybody who knows the address, whose random key is the only protection. */
import { contentType } from './accept.ts';
import { extensionOf } from './rules.ts';
import { serveFile } from './serve.ts';
import type { Storage } from './storage.ts';
import { displayName } from './upload.ts';

export const missingStoredFile = '文件不存在';

/** Answers the file; undefined if it does not exist. */
export async function sendStored(
  storage: Storage,
  { year, month, name }: Record<'year' | 'month' | 'name', string>,
  asked: { name?: string | undefined; download?: string | undefined; request: Request },
): Promise<Response | undefined> {
  const response = await serveFile(storage, `${year}/${month}/${name}`, {
    name: asked.name ? displayName(asked.name) : name,
    contentType: contentType(extensionOf(name)),
    request: asked.request,
    disposition: asked.download ? 'attachment' : 'inline',
  });
  return response.status === 404 ? undefined : response;
}
