import './mantine.css';
import './theme.css';
import type { ReactNode } from 'react';
import { Links, Meta, Outlet, useRouteLoaderData } from 'react-router';
import { isHeadOrPrefetchRequest } from '#server/platform/calls/rules.ts';
import type { Route } from './+types/root';
import { recordRoute, schoolTime, withRequestDeadline } from './api/process.server.ts';
import { acceptedFormMiddleware } from './shell/accepted-form.server.ts';
import { appearanceCookie } from './shell/cookies.server.ts';
import { countsContext } from './shell/counts.server.ts';
import { ErrorPage, errorTitle } from './shell/error-page.tsx';
import { postedMiddleware, repostableFields } from './shell/posted-form.server.ts';
import {
  contentSecurityMiddleware,
  formOriginMiddleware,
  getRequestId,
  methodMiddleware,
  nonceContext,
  requestIdMiddleware,
  secureHeadersMiddleware,
} from './shell/protection.server.ts';
import { getSession, sessionMiddleware } from './shell/session.server.ts';
import { signedInContext } from './shell/signed-in.server.ts';
import { titleMeta } from './shell/title.ts';
import { PageKeys } from './ui/page-keys.tsx';
import { type RootData, RootDataContext } from './ui/root-data.ts';
import { ThemeProvider } from './ui/theme-provider.tsx';

export const middleware: Route.MiddlewareFunction[] = [
  ({ pattern }, next) => {
    recordRoute(pattern);
    return next();
  },
  methodMiddleware,
  // All calls of a page share one deadline, so that an unresponsive database is awaited only once.
  (_, next) => withRequestDeadline(next),
  requestIdMiddleware,
  secureHeadersMiddleware,
  contentSecurityMiddleware,
  formOriginMiddleware,
  acceptedFormMiddleware,
  sessionMiddleware,
  // A new form discards the message that an earlier form left for the next page.
  ({ request, context }, next) => {
    if (request.method === 'POST') getSession(context).get('flash');
    return next();
  },
  postedMiddleware,
];

export async function loader({ request, context, url }: Route.LoaderArgs): Promise<RootData> {
  const known = context.get(signedInContext);
  const scheme: unknown = await appearanceCookie.parse(request.headers.get('Cookie'));
  return {
    scheme: scheme === 'dark' ? 'dark' : 'light',
    now: schoolTime(),
    nonce: context.get(nonceContext),
    requestId: getRequestId(context),
    here: url.pathname + url.search,
    posted: repostableFields(context),
    me: known && 'person' in known ? known.person : undefined,
    counts: await context.get(countsContext)?.(),
    flash: isHeadOrPrefetchRequest(request) ? undefined : getSession(context).get('flash'),
  };
}

export const meta: Route.MetaFunction = ({ error }) => (error ? errorTitle(error) : titleMeta());

/**
 * Prefetches pages of the navigation and of pagers on hover. (Chrome 121 and later; other browsers ignore it.) Leaves
 * out tabs: the server remembers the chosen tab, and a prefetched page would not be requested again.
 */
const speculation = JSON.stringify({
  prefetch: [{ where: { selector_matches: 'header nav a, a[rel=next], a[rel=prev]' }, eagerness: 'moderate' }],
});

export function Layout({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<RootData>('root');
  const scheme = root?.scheme ?? 'light';
  return (
    <html lang="zh-CN" data-mantine-color-scheme={scheme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={scheme} />
        {/* Chinese browsers with two engines are common on school PCs. This selects their Chromium engine. */}
        <meta name="renderer" content="webkit" />
        <meta name="theme-color" content={scheme === 'dark' ? '#1d2329' : '#ffffff'} />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <Meta />
        <Links />
        {/* Some error pages have no root data and so no nonce. CSP would block and report the script there. */}
        {root && (
          <script
            type="speculationrules"
            nonce={root.nonce}
            // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file.
            dangerouslySetInnerHTML={{ __html: speculation }}
          />
        )}
      </head>
      <body>
        <ThemeProvider scheme={scheme}>
          <RootDataContext value={root}>{children}</RootDataContext>
        </ThemeProvider>
        {root?.me && <PageKeys root={root} />}
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />;
}
