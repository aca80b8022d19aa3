/** The network between the school and PostgreSQL, which fails as it is told. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface PostgresProxy {
  /** Of the database, through this network. */
  url: string;
  /** Every connection is cut, and none is accepted any more. */
  cut(): Promise<void>;
  /** New connections lead to this server; what was cut stays so. */
  leadTo(url: string): Promise<void>;
  /** From now on nothing that is sent arrives, either way, and nobody is told; new connections are accepted, in silence. */
  swallow(): void;
  /** New connections work; what was swallowed is lost, and the old ones stay silent. */
  deliver(): void;
  /** The answer of the next commit is swallowed, and its connection cut. */
  atNextCommit(): void;
  close(): Promise<void>;
}

const socketOf = (url: string) => `${new URL(url).searchParams.get('host')}/.s.PGSQL.5432`;

export async function openPostgresProxy(url: string): Promise<PostgresProxy> {
  let target = socketOf(url);
  let isArmed = false;
  let swallows = false;
  const open = new Set<Socket>();
  const accept = (near: Socket) => {
    const far = connect(target);
    let isSilent = swallows;
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
        isSilent ||= swallows;
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
  const cut = async () => {
    const closed = new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    server = undefined;
    for (const socket of open) socket.destroy();
    await closed;
  };
  await listen();
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    cut,
    async leadTo(to) {
      target = socketOf(to);
      if (!server) await listen();
    },
    swallow() {
      swallows = true;
    },
    deliver() {
      swallows = false;
    },
    atNextCommit() {
      isArmed = true;
    },
    close: cut,
  };
}
