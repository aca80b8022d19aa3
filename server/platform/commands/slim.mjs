// `npm install` and `npm ci` end with this: what nothing reads goes.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builder, projectRoot } from './setup.mjs';
import { unreadFiles, unreadToServe } from './unread.mjs';

const isToServe = !existsSync(join(projectRoot, builder));

for (const path of [...unreadFiles(projectRoot), ...(isToServe ? unreadToServe(projectRoot) : [])])
  rmSync(join(projectRoot, path), { recursive: true, force: true });
