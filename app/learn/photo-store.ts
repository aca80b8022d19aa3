/**
 * Keeps photographs of answers in this browser (IndexedDB) until the server has saved the answer. Without IndexedDB they
 * live as long as the page.
 */

export interface KeptPhoto {
  id: string;
  /** The learner, and the form with its record. */
  person: string;
  form: string;
  /** Name of the form field for stored pictures. */
  field: string;
  photo: Blob;
  /** Milliseconds since 1970. */
  savedAt: number;
  /** Path on the server, once it is uploaded. */
  path?: string;
  /** Path of the picture that it replaces. */
  replaces?: string;
}

const databaseName = 'learner photographs';
const tableName = 'photo';
/** Milliseconds. Short, because the photographs are not encrypted and the device may be shared. */
const maxAge = 7 * 24 * 60 * 60 * 1000;

const answerOf = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(tableName, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/** Returns undefined if the storage is disabled or full: photographs then upload all the same. */
async function attempt<Value>(
  mode: IDBTransactionMode,
  work: (table: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value | undefined> {
  try {
    const database = await open();
    return await answerOf(work(database.transaction(tableName, mode).objectStore(tableName)));
  } catch {
    return undefined;
  }
}

/** Lists the photographs of a form, the oldest first. */
export const keptPhotos = async (person: string, form: string): Promise<KeptPhoto[]> =>
  (await photosOf(person)).filter((one) => one.form === form);

/** Lists a learner's photographs, the oldest first. Deletes all learners' photographs that are older than a week. */
export async function photosOf(person: string): Promise<KeptPhoto[]> {
  const all = ((await attempt('readonly', (table) => table.getAll())) ?? []) as KeptPhoto[];
  const isOld = ({ savedAt }: KeptPhoto) => Date.now() - savedAt > maxAge;
  for (const { id } of all.filter(isOld)) await dropPhoto(id);
  return all.filter((one) => one.person === person && !isOld(one)).sort((one, other) => one.savedAt - other.savedAt);
}

export const keepPhoto = (kept: KeptPhoto) => attempt('readwrite', (table) => table.put(kept));

export const dropPhoto = (id: string) => attempt('readwrite', (table) => table.delete(id));
