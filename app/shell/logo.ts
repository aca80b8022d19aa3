/** Streams the school's logo from the API. */
import { logoPath } from '#server/school/branding.contract.ts';
import { apiFetch } from '../api/process.server.ts';

export async function loader() {
  try {
    return await apiFetch(new Request(`http://api${logoPath}`));
  } catch {
    return new Response(null, { status: 503 });
  }
}
