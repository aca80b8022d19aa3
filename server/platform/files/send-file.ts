/** Serves stored files by address. The random key in the address is the protection. */
import { contentType } from './accept.ts';
import { extensionOf } from './rules.ts';
import { serveFile } from './serve.ts';
import type { Storage } from './storage.ts';
import { displayName } from './upload.ts';

export const missingStoredFile = '文件不存在';

/** Undefined if the file does not exist. */
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
