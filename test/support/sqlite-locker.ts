import { spawn } from 'node:child_process';

const program = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1]);
  database.exec('pragma busy_timeout = 5000; begin immediate; update school set org_name = org_name');
  console.log('locked');
  process.stdin.on('end', () => { database.exec('rollback'); process.exit(); }).resume();
`;

/** Starts a process that takes the write lock of a school's database file. Resolves once it has the lock. */
export async function lockSqlite(file: string): Promise<{ release(): Promise<void> }> {
  const locker = spawn(process.execPath, ['-e', program, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  await new Promise((resolve) => locker.stdout.once('data', resolve));
  return {
    async release() {
      const ended = new Promise((resolve) => locker.once('exit', resolve));
      locker.stdin.end();
      await ended;
    },
  };
}
