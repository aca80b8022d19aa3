/** Calls of the learners' own application: by a service token, outside what signed-in staff are offered. */
import { applicationOf } from '#server/platform/auth/service-token.ts';
import type { Backend, Caller } from '#server/platform/calls/backend.ts';
import { type BoundCall, binder } from '#server/platform/calls/bind.ts';
import { Refusal } from '#server/platform/calls/outcome.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import type { UploadedFile } from '#server/platform/files/upload.ts';
import { type Services, schoolBackend } from './context.ts';
import { accessMessages } from './rules.ts';

interface ApplicationContext {
  /** Unix seconds. */
  now: number;
  storage: Storage;
}

/** Binds a call of the application to the function that answers it. */
export const handleApplication = binder<ApplicationContext, UploadedFile>();
export type ApplicationCall = BoundCall<ApplicationContext>;

/** Bytes of a body that names a student and what they do. */
export const shortBody = 64 * 1024;

export function applicationBackend(services: Services): Backend<ApplicationContext, Caller> {
  const { database, storage } = services;
  return {
    ...schoolBackend(services),
    // Every one of its calls may be repeated as it is.
    honoursKeys: false,
    personOf: (authorization, now) => applicationOf(database.db, authorization, now),
    admit: (_call, application) => application ?? new Refusal('signed-out', accessMessages.token),
    contextOf: async (_application, now) => ({ now, storage }),
  };
}
