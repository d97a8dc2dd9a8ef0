import type { SortOrder } from './cards';
import { load, save } from './storage';

export type Theme = 'dark' | 'light';

/** What this browser remembers of its user's taste. */
class Settings {
  theme = $state<Theme>(document.documentElement.dataset.theme === 'light' ? 'light' : 'dark');
  sound = $state(load('sound') !== false);
  sort = $state<SortOrder>(load('sort') === 'suit' ? 'suit' : 'rank');

  toggleTheme(): void {
    this.theme = this.theme === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = this.theme;
    save('theme', this.theme);
  }

  toggleSound(): void {
    this.sound = !this.sound;
    save('sound', this.sound);
  }

  setSort(order: SortOrder): void {
    this.sort = order;
    save('sort', order);
  }
}

export const settings = new Settings();
