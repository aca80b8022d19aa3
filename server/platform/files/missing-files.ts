import type { Storage } from './storage.ts';
import { isStorageKey } from './storage-key.ts';

/** Returns those addresses in a text or answer that do not name a stored upload (`/files/…`); callers refuse them. */
export async function findMissingFiles(storage: Storage, addresses: readonly string[]): Promise<string[]> {
  const kept = await Promise.all(addresses.map((address) => isStored(storage, address)));
  return addresses.filter((_, index) => !kept[index]);
}

async function isStored(storage: Storage, address: string): Promise<boolean> {
  const key = /^\/files\/([^?]+)/.exec(address)?.[1] ?? '';
  return isStorageKey(key) && (await storage.stat(key)) !== null;
}
