/** A TCP proxy between the school and PostgreSQL that fails on command. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface PostgresProxy {
  /** URL of the database through this proxy. */
  url: string;
  /** Cuts every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Routes new connections to this server. Connections that were cut stay cut. */
  leadTo(url: string): Promise<void>;
  /** Drops all data in both directions without an error. Accepts new connections, but does not answer. */
  goSilent(): void;
  /** Serves new connections again. Dropped data stays lost, and the old connections stay silent. */
  deliver(): void;
  /** Drops the response to the next commit and cuts its connection. */
  atNextCommit(): void;
  close(): Promise<void>;
}

const socketOf = (url: string) => `${new URL(url).searchParams.get('host')}/.s.PGSQL.5432`;

export async function openPostgresProxy(url: string): Promise<PostgresProxy> {
  let target = socketOf(url);
  let isArmed = false;
  let isSilenced = false;
  const open = new Set<Socket>();
  const accept = (near: Socket) => {
    const far = connect(target);
    let isSilent = isSilenced;
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.on('data', (chunk) => {
        isSilent ||= isSilenced;
        if (isSilent) return;
        if (isArmed && one === far && chunk.includes('COMMIT\0')) {
          isArmed = false;
          near.destroy();
          far.destroy();
        } else other.write(chunk);
      });
    }
  };
  let server: Server | undefined;
  let port = 0;
  const listen = async () => {
    server = createServer(accept);
    await new Promise<void>((resolve, reject) => server?.once('error', reject).listen(port, '127.0.0.1', resolve));
    ({ port } = server.address() as { port: number });
  };
  const cutConnections = async () => {
    const closed = new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    server = undefined;
    for (const socket of open) socket.destroy();
    await closed;
  };
  await listen();
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    cut: cutConnections,
    async leadTo(to) {
      target = socketOf(to);
      if (!server) await listen();
    },
    goSilent() {
      isSilenced = true;
    },
    deliver() {
      isSilenced = false;
    },
    atNextCommit() {
      isArmed = true;
    },
    close: cutConnections,
  };
}
