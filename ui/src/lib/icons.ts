/** One icon set: paths on 20 x 20, drawn as lines. */
export const ICONS = {
  menu: 'M3 5h14M3 10h14M3 15h14',
  undo: 'M7 4 3 8l4 4M3 8h9a5 5 0 0 1 0 10H8',
  sort: 'M6 4v12M3 13l3 3 3-3M12 5h6M12 10h4M12 15h2',
  sound: 'M3 8v4h3l4 3V5L6 8zM13 7.5a4 4 0 0 1 0 5M15.5 5a7 7 0 0 1 0 10',
  mute: 'M3 8v4h3l4 3V5L6 8zM13.5 8l4 4M17.5 8l-4 4',
  keys: 'M4 5h12a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2ZM5.5 8.5h.01M9 8.5h.01M12.5 8.5h.01M6 12h8',
  moon: 'M16 12A7 7 0 1 1 8 4a5.5 5.5 0 0 0 8 8Z',
  sun: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M4 16l1.4-1.4M14.6 5.4 16 4',
  sunrise: 'M2.5 15.5h15M10 2.5v3M3 6.5l2 1.5M17 6.5 15 8M5.5 12.5a4.5 4.5 0 0 1 9 0',
  pin: 'M7 3h6M8 3v5l-2.5 3h9L12 8V3M10 11v6',
  down: 'm5 8 5 5 5-5',
  close: 'M5 5l10 10M15 5 5 15',
  back: 'M16 10H4m5-5-5 5 5 5',
  left: 'm12 5-5 5 5 5',
  right: 'm8 5 5 5-5 5',
  first: 'm14 5-5 5 5 5M6 5v10',
  last: 'm6 5 5 5-5 5M14 5v10',
  offline: 'M3 3l14 14M6 11a6 6 0 0 1 3-1.8M2.5 8a11 11 0 0 1 3-2M14 10.5l.5.5M10 5a11 11 0 0 1 7.5 3M10 15h.01',
} as const;

export type IconName = keyof typeof ICONS;
