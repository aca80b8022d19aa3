/** Whether addresses name files that were uploaded here: whatever else is named is never kept with a text or an answer. */
import { isStorageKey, type Storage } from './storage.ts';

/** Those of the addresses (`/files/…`) behind which there is no file. */
export async function missingFiles(storage: Storage, addresses: readonly string[]): Promise<string[]> {
  const kept = await Promise.all(addresses.map((address) => isKept(storage, address)));
  return addresses.filter((_, index) => !kept[index]);
}

async function isKept(storage: Storage, address: string): Promise<boolean> {
  const key = /^\/files\/([^?]+)/.exec(address)?.[1] ?? '';
  return isStorageKey(key) && (await storage.stat(key)) !== null;
}
