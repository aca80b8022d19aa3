/** Shortcuts and menus, for pages without other client JS. */
import './keys/menus.ts';
import './keys/quick-keys.ts';
