/** The system page without client JS: storage, and machines with other storage. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createStorage } from '#server/platform/files/storage.ts';
import { registerProcess } from '#server/system/processes.ts';
import { openApp, signInAs } from '../support/app.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { openTestSchool } from '../support/school.ts';

describeEngines('system page', (engine) => {
  it('shows the storage, and how many machines share it', async () => {
    const school = await openTestSchool(engine);
    const folder = await mkdtemp(path.join(tmpdir(), 'elsewhere-'));
    try {
      const admin = await signInAs(school, await openApp(school), 'admin');
      const { services } = school;
      await registerProcess(services, { host: '甲机' });
      const alone = (await admin.get('/admin/system')).text;
      expect(alone).toContain(`${school.filesFolder}，只有一台主机使用`);
      await registerProcess(services, { host: '乙机' });
      const apart = await registerProcess(
        { ...services, storage: await createStorage({ directory: folder }) },
        { host: '丙机' },
      );
      const shared = (await admin.get('/admin/system')).text;
      // On SQLite there is one machine.
      expect(shared).toContain(engine === 'SQLite' ? '3 台主机共用' : '2 台主机共用');
      if (engine === 'SQLite') return expect(shared).not.toContain('存放在别处');
      expect(shared).toContain('主机“丙机”的文件存放在别处，在那里上传的文件在其他主机上打不开。');
      expect(shared).toContain('文件在别处');
      await apart.refuse();
      const refused = (await admin.get('/admin/system')).text;
      expect(refused).toContain('主机“丙机”没有启动成功，因为那里的文件会存放在别处。');
      expect(refused).toContain('没有启动');
      expect(refused).not.toContain('打不开');
    } finally {
      await school.close();
      await rm(folder, { recursive: true });
    }
  });
});
