import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'app',
  ssr: true,
  // No page has the router in the browser, so no route manifest is needed.
  routeDiscovery: { mode: 'initial' },
  // app/shell/protection.server.ts checks the origin of forms on every route (CSRF). The router's check would also
  // refuse the school's own forms behind an https proxy.
  allowedActionOrigins: ['**'],
} satisfies Config;
