/** Every address. The id of a route is the name that the specification gives the screen. */
import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('shell/home.ts'),
  route('login', 'account/login.tsx', { id: 'Login' }),
  route('logout', 'account/logout.ts'),
  route('appearance', 'shell/appearance.ts'),
  route('api/*', 'shell/api.ts', { id: 'api' }),
  route('healthz', 'shell/api.ts', { id: 'healthz' }),
  route('readyz', 'shell/api.ts', { id: 'readyz' }),

  layout('shell/layout.tsx', [
    route('homework', 'homework/manage.tsx', { id: 'HomeworkManage' }, [
      route(':id/recall', 'homework/recall.tsx'),
      route(':id/deadline', 'homework/deadline.tsx'),
      route(':id/continue', 'homework/continue.tsx'),
    ]),
    route('*', 'shell/not-found.tsx'),
  ]),
] satisfies RouteConfig;
