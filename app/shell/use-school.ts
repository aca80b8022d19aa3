import { useRouteLoaderData } from 'react-router';
import type { loader as rootLoader } from '../root.tsx';

/** The signed-in person, on every screen inside the frame. */
export function usePerson() {
  return useRouteLoaderData<typeof rootLoader>('root')?.me;
}

/** The school's time zone (IANA name). */
export function useTimezone(): string {
  return usePerson()?.settings.timezone ?? 'Asia/Shanghai';
}
