/** Stores a drawn-on image and returns its address as JSON. */
import { uploadImage } from '#server/platform/files/contract.ts';
import { api } from '../api/client.server.ts';
import type { Route } from './+types/image';
import { outcomeJson } from './desk/outcome-json.server.ts';

export function action({ request, context }: Route.ActionArgs) {
  return outcomeJson(() => context.get(api).upload(uploadImage, request));
}
