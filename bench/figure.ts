/** One measured number, printed as a line of JSON. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it is compared with, measured in the same run. */
  readonly ratioTo?: string;
  readonly ratio?: number;
  /** The most that the ratio, or without one the value, may be. */
  readonly target?: number;
  readonly ok?: boolean;
}

/** One file of `figures/`: it measures something and answers its figures. */
export interface Benchmark {
  /** By this name it is run alone: `npm run bench -- NAME`. */
  readonly name: string;
  run(): Promise<readonly Figure[]>;
}

/** A figure with its numbers shortened for reading, judged by its target if it has one. */
export function figure(name: string, value: number, unit: string, compared: { readonly ratioTo?: string; readonly ratio?: number; readonly target?: number } = {}): Figure {
  const { ratio, target, ...others } = compared;
  return {
    name,
    value: short(value),
    unit,
    ...others,
    ...(ratio === undefined ? {} : { ratio: short(ratio) }),
    ...(target === undefined ? {} : { target: short(target), ok: (ratio ?? value) <= target }),
  };
}

function short(value: number): number {
  return Number(value.toPrecision(4));
}
