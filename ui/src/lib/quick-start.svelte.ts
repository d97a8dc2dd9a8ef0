import type { BotSummary, NewTable, RulesSummary } from './protocol';
import { load, save } from './storage';

const DIRECT_RULES = ['ultimate', 'casual'];
const USUAL_BOT = 'heuristic';

interface Saved {
  name: string;
  rules: string;
  bot: string;
  seats: number;
  hands: number;
  chips: boolean;
  stack: number;
  price: number;
}

/** What the lobby will ask the server for; every choice is remembered. */
export class QuickStart {
  name = $state('You');
  rulesId = $state('ultimate');
  botId = $state(USUAL_BOT);
  seats = $state(3);
  hands = $state(24);
  chips = $state(false);
  stack = $state(2000);
  price = $state(10);

  #rules: () => RulesSummary[];
  #bots: () => BotSummary[];

  constructor(rules: () => RulesSummary[], bots: () => BotSummary[]) {
    this.#rules = rules;
    this.#bots = bots;
    const saved = (load('start') ?? {}) as Partial<Saved>;
    this.name = saved.name ?? this.name;
    this.rulesId = saved.rules ?? this.rulesId;
    this.botId = saved.bot ?? this.botId;
    this.seats = saved.seats ?? this.seats;
    this.hands = saved.hands ?? this.hands;
    this.chips = saved.chips ?? this.chips;
    this.stack = saved.stack ?? this.stack;
    this.price = saved.price ?? this.price;
  }

  rules = $derived.by(() => this.#rules().find((one) => one.id === this.rulesId) ?? this.#rules()[0] ?? null);
  bot = $derived.by(() => {
    const bots = this.#bots();
    return bots.find((one) => one.id === this.botId) ?? bots.find((one) => one.id === USUAL_BOT) ?? bots[bots.length - 1] ?? null;
  });
  direct = $derived.by(() => {
    const common = this.#rules().filter((one) => DIRECT_RULES.includes(one.id));
    return common.length > 0 ? common : this.#rules().slice(0, 2);
  });
  /** Seats this rule set has, and those another one would give. */
  seatChoices = $derived.by(() => {
    const offered = new Set([2, 3, ...(this.rules?.seats ?? [])]);
    return [...offered].filter((count) => this.#rules().some((one) => one.seats.includes(count))).sort((a, b) => a - b);
  });

  chooseRules(rules: RulesSummary): void {
    this.rulesId = rules.id;
    if (!rules.seats.includes(this.seats)) this.seats = rules.seats[rules.seats.length - 1] ?? this.seats;
  }

  /** A number of seats these rules do not have takes the first rule set that has it. */
  chooseSeats(count: number): void {
    this.seats = count;
    if (this.rules?.seats.includes(count)) return;
    const other = this.#rules().find((one) => one.seats.includes(count));
    if (other) this.rulesId = other.id;
  }

  request(): NewTable {
    save('start', {
      name: this.name, rules: this.rulesId, bot: this.botId, seats: this.seats,
      hands: this.hands, chips: this.chips, stack: this.stack, price: this.price,
    } satisfies Saved);
    const rules = this.rules;
    const seats = rules && !rules.seats.includes(this.seats) ? (rules.seats[0] ?? this.seats) : this.seats;
    return {
      rules: rules?.id ?? this.rulesId,
      name: this.name.trim() || 'You',
      bots: Array.from({ length: seats - 1 }, () => this.bot?.id ?? this.botId),
      hands: this.hands,
      money: this.chips ? { stack: this.stack, price: this.price } : null,
    };
  }
}
