/** Sums decimal numbers exactly, without binary rounding: 0.1 and 0.2 are 0.3. */
export class DecimalSum {
  #scaled = 0n;
  #digits = 0;

  add(value: number): void {
    const { scaled, digits } = parse(value);
    const most = Math.max(this.#digits, digits);
    this.#scaled = this.#scaled * 10n ** BigInt(most - this.#digits) + scaled * 10n ** BigInt(most - digits);
    this.#digits = most;
  }

  toString(): string {
    const sign = this.#scaled < 0n ? '-' : '';
    const text = String(this.#scaled < 0n ? -this.#scaled : this.#scaled).padStart(this.#digits + 1, '0');
    const whole = text.slice(0, text.length - this.#digits);
    const fraction = text.slice(text.length - this.#digits).replace(/0+$/, '');
    return sign + whole + (fraction ? `.${fraction}` : '');
  }
}

function parse(value: number): { scaled: bigint; digits: number } {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const digits = fraction.length - Number(exponent);
  const scaled = BigInt(whole + fraction);
  return digits >= 0 ? { scaled, digits } : { scaled: scaled * 10n ** BigInt(-digits), digits: 0 };
}
