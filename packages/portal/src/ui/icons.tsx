/** The portal's own icons: 16 px, 1.5 px stroke, in the colour of the text beside them. Never alone: a word always says the same. */

const paths = {
  queued: 'M8 4v4l2.5 1.5M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z',
  sending: 'M3 8h9M9 4.5 12.5 8 9 11.5',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  cross: 'm4 4 8 8M12 4l-8 8',
  hourglass: 'M4.5 2.5h7M4.5 13.5h7M5.5 2.5c0 3 5 3.5 5 5.5s-5 2.5-5 5.5M10.5 2.5c0 3-5 3.5-5 5.5s5 2.5 5 5.5',
  question: 'M5.8 6a2.2 2.2 0 1 1 3.4 1.9C8.4 8.4 8 8.8 8 9.7M8 12.4v.1',
  alert: 'M4 11.5v-4a4 4 0 0 1 8 0v4l1 1H3zM7 14.5h2',
  received: 'M13 8H4M7 4.5 3.5 8 7 11.5',
  pause: 'M6 3.5v9M10 3.5v9',
  warning: 'M8 2.5 14.5 13h-13L8 2.5ZM8 6.5v3M8 11.3v.1',
  info: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0ZM8 7.5v3.5M8 5v.1',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  search: 'M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM10 10l3.5 3.5',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  more: 'M3 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M7.5 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M12 8a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0',
  down: 'm4 6 4 4 4-4',
  right: 'm6 4 4 4-4 4',
  left: 'm10 4-4 4 4 4',
  plus: 'M8 3v10M3 8h10',
  message: 'M2.5 3.5h11v8H7l-3 2.5v-2.5H2.5z',
  canned: 'M2.5 3h11v7.5H8L5 13v-2.5H2.5zM5 5.8h6M5 8h4',
  conversation: 'M2 3h8v6H6l-2.5 2V9H2zM12 6h2v6h-1.5v2L10 12H7',
  handset: 'M4.5 1.5h7v13h-7zM7 12.5h2',
  number: 'M6 2.5 4.5 13.5M11.5 2.5 10 13.5M2.5 6h11M2.5 10h11',
  campaign: 'M2.5 6.5v3L9 12V4L2.5 6.5ZM9 5.5c3 0 4.5 1 4.5 2.5S12 10.5 9 10.5M4.5 10v3h2v-2.3',
  optOut: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0ZM3.8 3.8l8.4 8.4',
  webhook: 'M5 11.5a2.5 2.5 0 1 1-1-4.6L6.5 3.5M8 5a2.5 2.5 0 1 1 3 2.4l2 3.6M5.5 11.5h5a2.5 2.5 0 1 0 2.3-2.6',
  key: 'M9.5 6.5a3 3 0 1 1-1.2-2.4M8.5 7.5l5 5M11 10l1.5-1.5',
  carrier:
    'M8 6v8M5 14h6M5.2 3.2a4 4 0 0 0 0 5.6M10.8 3.2a4 4 0 0 1 0 5.6M3.3 1.3a6.6 6.6 0 0 0 0 9.4M12.7 1.3a6.6 6.6 0 0 1 0 9.4',
  route: 'M3 13V9.5c0-3 10-1.5 10-4.5V3M3 13l-1.5-2M3 13l1.5-2M13 3l-1.5 2M13 3l1.5 2',
  usage: 'M2.5 13.5h11M4 11V8M7 11V4.5M10 11V6.5M13 11V3',
  request: 'M2 3.5h12v9H2zM4.5 6l2 2-2 2M8.5 10h3',
  audit: 'M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2',
  settings: 'M2.5 4.5h5M10.5 4.5h3M2.5 11.5h3M8.5 11.5h5M9 3v3M7 10v3',
  home: 'M2.5 8 8 3l5.5 5M4 7v6.5h8V7',
  docs: 'M3 2.5h6l4 4v7H3zM9 2.5v4h4',
  person: 'M10.5 5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0ZM3 14c0-3 2-4.5 5-4.5s5 1.5 5 4.5',
  views: 'M4.5 2.5h7v11L8 10.5l-3.5 3z',
  download: 'M8 2.5v7M5 6.5l3 3 3-3M3 13h10',
  columns: 'M2.5 3.5h11v9h-11zM6.2 3.5v9M9.8 3.5v9',
  filter: 'M2.5 4.5h11M4.5 8h7M6.5 11.5h3',
  group: 'M2.5 3.5h11v3h-11zM5.5 9h8M5.5 12.5h8M2.5 6.5v6',
  found: 'm2 4.5 1.3 1.3L6 3.2M2 11l1.3 1.3L6 9.7M8.5 4.8H14M8.5 11.2H14',
  open: 'M9.5 2.5h4v4M13.5 2.5 8 8M6.5 3.5h-4v10h10v-4',
  sun: 'M11 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  sound: 'M3 6.5v3h2.5L9 12.5v-9L5.5 6.5zM11 6a3 3 0 0 1 0 4',
  film: 'M2.5 3.5h11v9h-11zM5 3.5v9M11 3.5v9M2.5 6.5H5M2.5 9.5H5M11 6.5h2.5M11 9.5h2.5',
  picture: 'M2.5 3.5h11v9h-11zM2.5 10.5l3-3 3 3 2-2 3 3M10.5 6.5h.1',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
