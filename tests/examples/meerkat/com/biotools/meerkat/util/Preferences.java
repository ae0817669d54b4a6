package com.biotools.meerkat.util;

import java.util.HashMap;
import java.util.Map;

/** A stand-in with the signatures that the client needs. */
public class Preferences {
    private final Map<String, String> values = new HashMap<>();

    public void setPreference(String name, String value) {
        values.put(name, value);
    }

    public String getPreference(String name, String usual) {
        return values.getOrDefault(name, usual);
    }

    public double getDoublePreference(String name, double usual) {
        return values.containsKey(name) ? Double.parseDouble(values.get(name)) : usual;
    }

    public boolean getBooleanPreference(String name, boolean usual) {
        return values.containsKey(name) ? Boolean.parseBoolean(values.get(name)) : usual;
    }
}
