/** Checks that the addresses in texts and answers name stored uploads; other addresses are refused. */
import type { Storage } from './storage.ts';
import { isStorageKey } from './storage-key.ts';

/** Returns the addresses (`/files/…`) without a stored file. */
export async function missingFiles(storage: Storage, addresses: readonly string[]): Promise<string[]> {
  const kept = await Promise.all(addresses.map((address) => isKept(storage, address)));
  return addresses.filter((_, index) => !kept[index]);
}

async function isKept(storage: Storage, address: string): Promise<boolean> {
  const key = /^\/files\/([^?]+)/.exec(address)?.[1] ?? '';
  return isStorageKey(key) && (await storage.stat(key)) !== null;
}
