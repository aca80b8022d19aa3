/** Event stream of a class's leave requests: sends the current version, then each new one. */

import { eventStream } from 'remix-utils/sse/server';
import { leavePulse } from '#server/attendance/leave.contract.ts';
import { api } from '../api/client.server.ts';
import { moveGauge } from '../api/process.server.ts';
import type { Route } from './+types/leave-stream';
import { watchLeave } from './leave-hub.server.ts';
import { leaveStream } from './screens.ts';

/** Milliseconds between keep-alive messages, which prevent proxy timeouts. */
const heartbeat = 20_000;
/** Maximum duration of a stream in milliseconds. */
const maxStreamLife = 5 * 60_000;

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { id: classId } = leaveStream.at(url);
  const client = context.get(api);
  const { mark } = await client.send(leavePulse, { params: { classId } });
  const response = eventStream(request.signal, (send, close) => {
    send({ event: 'leave', data: mark });
    const leave = watchLeave(classId, {
      async ask() {
        client.forget();
        const outcome = await client.ask(leavePulse, { params: { classId } });
        if (outcome.ok) return outcome.data;
        return outcome.status === 503 ? undefined : 'gone';
      },
      tell: (now) => send({ event: 'leave', data: now }),
      end: close,
    });
    moveGauge('eventStreams', 1);
    const beat = setInterval(() => send({ event: 'beat', data: '' }), heartbeat).unref();
    // Ends the stream after its maximum duration. The browser reconnects, and its session is checked again.
    const end = setTimeout(close, maxStreamLife).unref();
    return () => {
      moveGauge('eventStreams', -1);
      clearInterval(beat);
      clearTimeout(end);
      leave();
    };
  });
  // Proxies must neither compress nor buffer the stream, so that events arrive at once.
  response.headers.set('Cache-Control', 'no-cache, no-transform');
  response.headers.set('X-Accel-Buffering', 'no');
  return response;
}
