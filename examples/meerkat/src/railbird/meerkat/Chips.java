package railbird.meerkat;

import java.math.BigDecimal;

/** Dollars at the table, which are doubles, and chips of the brain, which are whole numbers. */
final class Chips {
    /** Sums of dollars are off by rounding errors, which are far smaller than this part of a chip. */
    private static final double ROUNDING = 1e-4;

    private final BigDecimal chip;

    /** A chip is worth this many dollars, such as 0.01. */
    Chips(String dollars) throws Fault {
        BigDecimal worth = BigDecimal.ZERO;
        try {
            worth = new BigDecimal(dollars.trim());
        } catch (NumberFormatException notANumber) {
            // reported below, like amounts that are not positive
        }
        if (worth.signum() <= 0) {
            throw new Fault("RAILBIRD_CHIP=" + dollars + " is not the worth of a chip in dollars, such as 0.01");
        }
        chip = worth;
    }

    /** The chips of an amount that must be a whole number of them. */
    long exactly(double dollars) throws Fault {
        double chips = dollars / chip.doubleValue();
        long whole = Math.round(chips);
        if (!(Math.abs(chips - whole) < ROUNDING)) {
            throw new Fault("$" + BigDecimal.valueOf(dollars).toPlainString() + " is not a whole number of chips of $"
                    + chip.toPlainString() + ": set RAILBIRD_CHIP to a smaller amount");
        }
        return whole;
    }

    /** The whole chips of an amount; the rest of a chip cannot be bet. */
    long rounded(double dollars) {
        return (long) Math.floor(dollars / chip.doubleValue() + ROUNDING);
    }

    /** The double nearest to the worth of some chips. */
    double dollars(long chips) {
        return chip.multiply(BigDecimal.valueOf(chips)).doubleValue();
    }
}
