import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'app',
  ssr: true,
  // No page has the router in the browser, so nothing asks for a list of routes.
  routeDiscovery: { mode: 'initial' },
  // The origin of forms is checked by app/shell/protection.server.ts, on every route and with a page of its own; the
  // router's check would also refuse the school's own forms behind an https proxy.
  allowedActionOrigins: ['**'],
} satisfies Config;
