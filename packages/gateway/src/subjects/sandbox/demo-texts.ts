/** The texts of generated traffic; `{name}`, `{order}` and `{day}` are filled in. */

export interface DemoTurn {
  who: 'we' | 'they';
  text: string;
  /** Probability of another message. */
  goesOn: number;
  /** About this long after the message before. */
  afterMinutes: number;
}

const we = (text: string, goesOn = 0, afterMinutes = 3): DemoTurn => ({ who: 'we', text, goesOn, afterMinutes });
const they = (text: string, goesOn = 0.9, afterMinutes = 9): DemoTurn => ({ who: 'they', text, goesOn, afterMinutes });

export const demoMoments: readonly (readonly DemoTurn[])[] = [
  [
    we('Hi {name}, a reminder of your appointment on {day} at 2:30 pm. Reply YES to confirm.', 0.7, 0),
    they('YES'),
    we('Thank you, {name}. See you on {day}.'),
  ],
  [
    we('Hi {name}, a reminder of your appointment on {day} at 11 am. Reply YES to confirm.', 0.6, 0),
    they('Can we make it 4 pm instead?'),
    we('Yes, 4 pm is free. I have moved it for you.', 0.8),
    they('Great, thank you!', 0),
  ],
  [
    we('Your order {order} has shipped and arrives on {day}. Track it: https://shop.example/t/{order}', 0.3, 0),
    they('Can you leave it at the back door? Nobody is home.'),
    we('Of course. I have told the driver.'),
  ],
  [we('Order {order} is ready for pickup until 7 pm today. Bring this text.', 0.25, 0), they('On my way 👍', 0)],
  [we('Your table for 4 is booked on {day} at 7 pm, {name}. Reply to this text to change it.', 0, 0)],
  [they('Hi, are you open on Sunday?', 0.95, 0), we('Yes, from 10 am to 4 pm. See you then!', 0.4), they('Thanks', 0)],
  [
    they('Where is my order {order}?', 0.95, 0),
    we(
      'Sorry for the wait, {name}. Order {order} left our warehouse this morning. The driver has six stops before yours and should be with you between 3 and 5 pm. You get a text when it is two stops away.',
      0.5,
    ),
    they('Perfect, thanks for the quick answer', 0),
  ],
  [
    we('How was your visit, {name}? Reply with a number from 1 (poor) to 5 (very good).', 0.5, 0),
    they('5', 0.8),
    we('That is good to hear. Thank you!'),
  ],
];

/** Name and area code */
export const demoPeople: readonly (readonly [name: string, areaCode: string])[] = [
  ...([
    ['Maria', '312'],
    ['James', '415'],
    ['Aisha', '646'],
    ['Daniel', '206'],
    ['Grace', '617'],
  ] as const),
  ...([
    ['Luis', '305'],
    ['Hannah', '303'],
    ['Omar', '512'],
    ['Chloe', '503'],
    ['Ethan', '404'],
  ] as const),
  ...([
    ['Priya', '408'],
    ['Noah', '216'],
    ['Sofia', '713'],
    ['Marcus', '313'],
    ['Emily', '919'],
  ] as const),
  ...([
    ['Kenji', '808'],
    ['Olivia', '608'],
    ['Andre', '504'],
    ['Zoe', '718'],
    ['Samuel', '214'],
  ] as const),
  ...([
    ['Nadia', '702'],
    ['Peter', '412'],
    ['Lucia', '210'],
    ['Ben', '816'],
    ['Fatima', '267'],
  ] as const),
  ...([
    ['Jack', '360'],
    ['Rosa', '559'],
    ['Tom', '585'],
    ['Mei', '626'],
    ['Carlos', '480'],
  ] as const),
  ...([
    ['Ingrid', '612'],
    ['David', '801'],
    ['Amara', '470'],
    ['Leo', '858'],
    ['Kate', '207'],
    ['Victor', '401'],
  ] as const),
];
